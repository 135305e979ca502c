// The one place that makes frames, and the one that posts to the target "*". A frame has an origin
// of its own that nothing else has ("null"), so it reaches neither our storage nor our cookies, and
// only "*" reaches it. The message carries a port and no secret; all else goes over the port.

import { ownScriptAddress } from "./script-url";

/** A frame that is loaded, and the page's end of the channel to it. */
export interface SandboxedFrame {
  readonly frame: HTMLIFrameElement;
  readonly port: MessagePort;
  /** Takes the frame out of the page and closes the channel. */
  readonly close: () => void;
}

/** What a frame's page gets first, with its end of the channel. */
export const frameGreeting = "lockstep:port";

/**
 * Puts a page of this site into `parent`, in a frame that may run scripts and nothing else. Its
 * page must listen to `message` when it is loaded. Throws a TypeError for the address of another
 * origin.
 */
export function openSandboxedFrame(
  address: string,
  title: string,
  parent: Element,
): Promise<SandboxedFrame> {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = title;
  frame.src = ownScriptAddress(address, location.href);
  const channel = new MessageChannel();
  const close = () => {
    channel.port1.close();
    frame.remove();
  };
  return new Promise((resolve) => {
    frame.addEventListener(
      "load",
      () => {
        frame.contentWindow?.postMessage(frameGreeting, "*", [channel.port2]);
        resolve({ frame, port: channel.port1, close });
      },
      { once: true },
    );
    parent.append(frame);
  });
}
