// Channels between devices.

/** Joins every two devices by a channel: for each device its ports to the others, by rank. */
export function joinAll(devices: number): (MessagePort | null)[][] {
  const ports = Array.from({ length: devices }, () =>
    new Array<MessagePort | null>(devices).fill(null),
  );
  for (let one = 0; one < devices; one += 1) {
    for (let other = 0; other < one; other += 1) {
      const channel = new MessageChannel();
      (ports[one] as (MessagePort | null)[])[other] = channel.port1;
      (ports[other] as (MessagePort | null)[])[one] = channel.port2;
    }
  }
  return ports;
}
