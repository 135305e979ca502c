#!/usr/bin/env node
// Serves the built site on this machine: node web/tool/serve.mjs [--port N] [--root FOLDER]

import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { securityHeaders } from "./policy.mjs";
import { createSiteServer } from "./site-server.mjs";

const usage = "usage: node web/tool/serve.mjs [--port N] [--root FOLDER]";
const highestPort = 65535;
/** How many ports after the wanted one are tried; past that something else is wrong. */
const portsTried = 20;

/**
 * @param {string} message
 * @returns {never}
 */
function badUse(message) {
  console.error(`serve: ${message}\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8080" },
        root: { type: "string", default: "build/site" },
      },
    });
    return values;
  } catch (error) {
    return badUse(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} text */
function readPort(text) {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > highestPort) {
    badUse(
      `--port takes a whole number from 0 to ${highestPort} (0: any free port), not '${text}'`,
    );
  }
  return port;
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port
 * @returns {Promise<NodeJS.ErrnoException | undefined>} why it could not listen
 */
function listen(server, port) {
  return new Promise((resolve) => {
    server.once("error", resolve);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", resolve);
      resolve(undefined);
    });
  });
}

/**
 * Listens on the first free port from `wanted` on.
 *
 * @param {import('node:http').Server} server
 * @param {number} wanted
 */
async function listenNear(server, wanted) {
  const last = Math.min(wanted + portsTried, highestPort);
  for (let port = wanted; port <= last; port += 1) {
    const failure = await listen(server, port);
    if (failure === undefined) return;
    if (failure.code === "EADDRINUSE" && port < last) {
      console.log(`Port ${port} is taken, trying ${port + 1}.`);
    } else if (failure.code === "EADDRINUSE") {
      badUse(`ports ${wanted} to ${last} are all taken: choose another with --port`);
    } else if (failure.code === "EACCES") {
      badUse(`port ${port} may not be opened by this user: choose one from 1024 on with --port`);
    } else {
      throw failure;
    }
  }
}

const { port: portText, root: rootText } = readArguments();
const port = readPort(portText);
const root = path.resolve(rootText);
if (!existsSync(path.join(root, "index.html"))) {
  badUse(`${root} has no index.html: build the site first with ./start --build-only`);
}
const server = await createSiteServer(root, securityHeaders);
await listenNear(server, port);
const address = server.address();
const opened = typeof address === "object" && address !== null ? address.port : port;
console.log(`Lockstep is at http://localhost:${opened}/ (Ctrl+C stops it)`);
