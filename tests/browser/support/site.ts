// Serves the built site to a test: as our own server does, with what the browser reports against
// the policy; or as any plain server would, in a folder of its own.

import { readFile } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import path from "node:path";
import { contentSecurityPolicy, securityHeaders } from "../../../web/tool/policy.mjs";
import { createSiteServer } from "../../../web/tool/site-server.mjs";

const root = path.join(import.meta.dirname, "../../..");
const siteFolder = path.join(root, "build/site");

export interface Site {
  readonly address: string;
  /** What browsers reported against the policy so far, one text each. */
  readonly violations: readonly string[];
  close(): Promise<void>;
}

/**
 * Files that a test adds to the site, by path: pages where they end in .html, else scripts. An HTML
 * text `planted` goes first into the page.
 */
export interface Additions {
  readonly files?: Readonly<Record<string, string>>;
  /** Of files that are to live under a policy of their own, by path. */
  readonly policies?: Readonly<Record<string, string>>;
  readonly planted?: string;
}

/** The site as our own server sends it. */
export async function serveSite(additions: Additions = {}): Promise<Site> {
  const violations: string[] = [];
  const headers = {
    ...securityHeaders,
    "Content-Security-Policy": `${contentSecurityPolicy}; report-uri /violations`,
  };
  const server = await createSiteServer(siteFolder, headers);
  const answerSite = server.listeners("request")[0] as RequestListener;
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (request.url === "/violations") void collect(request, response, violations);
    else if (!sendAddition(additions, headers, request, response)) answerSite(request, response);
  });
  return listen(server, "/", violations);
}

/** The site on a server that sends no headers of ours, in the folder /some/folder/. */
export function servePlainly(): Promise<Site> {
  const folder = "/some/folder/";
  // As many servers are set up: they do not know WebAssembly.
  const types: Readonly<Record<string, string>> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
  };
  const server = createServer(async (request, response) => {
    const [address = ""] = (request.url ?? "").split("?");
    const name = address.startsWith(folder) ? address.slice(folder.length) : "none";
    const file = path.join(siteFolder, name || "index.html");
    const content = await readFile(file).catch(() => undefined);
    const type = types[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(content ? 200 : 404, { "Content-Type": type }).end(content);
  });
  return listen(server, folder, []);
}

async function listen(server: Server, folder: string, violations: string[]): Promise<Site> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    address: `http://127.0.0.1:${port}${folder}`,
    violations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function collect(
  request: IncomingMessage,
  response: ServerResponse,
  violations: string[],
): Promise<void> {
  let text = "";
  for await (const part of request) text += part;
  violations.push(text);
  response.writeHead(204).end();
}

/** Sends the page with what is planted, or an added file; false for everything else. */
function sendAddition(
  { files = {}, policies = {}, planted }: Additions,
  headers: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const file = files[request.url ?? ""];
  if (file !== undefined) {
    const type = request.url?.endsWith(".html") ? "text/html" : "text/javascript";
    const policy = policies[request.url ?? ""];
    const own = policy === undefined ? {} : { "Content-Security-Policy": policy };
    response
      .writeHead(200, { ...headers, ...own, "Content-Type": `${type}; charset=utf-8` })
      .end(file);
    return true;
  }
  const [address = ""] = (request.url ?? "").split("?");
  const name = address === "/" ? "index.html" : address.slice(1);
  if (planted === undefined || !name.endsWith(".html")) return false;
  void readFile(path.join(siteFolder, name), "utf8").then((page) => {
    response.writeHead(200, { ...headers, "Content-Type": "text/html; charset=utf-8" });
    response.end(page.replace("<title>", `${planted}<title>`));
  });
  return true;
}
