// A small server for a folder of plain files. It reads inside its folder only and answers GET and
// HEAD only.

import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

/** @type {Readonly<Record<string, string>>} */
const mimeTypes = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
  ".zip": "application/zip",
};

/**
 * A server, not yet listening, for the files under `root`, each sent with `headers`.
 *
 * @param {string} root an existing folder
 * @param {Readonly<Record<string, string>>} headers
 * @returns {Promise<import('node:http').Server>}
 */
export async function createSiteServer(root, headers) {
  const realRoot = await realpath(root);
  return createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(realRoot, request, response).catch(() => refuse(response, 500, "could not read it"));
  });
}

/**
 * @param {string} root
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(root, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405, "only GET and HEAD");
  }
  const [address = "/", query] = (request.url ?? "/").split("?", 2);
  const found = await findFile(root, address);
  if (found === undefined) return refuse(response, 404, "not found");
  if (found.isFolder) {
    // The redirect is relative, so that it also holds behind a proxy that adds a prefix.
    const name = address.slice(address.lastIndexOf("/") + 1);
    response.setHeader("Location", `./${name}/${query === undefined ? "" : `?${query}`}`);
    return refuse(response, 301, "moved");
  }
  sendFile(found, request, response);
}

/**
 * @typedef {object} Found
 * @property {string} file
 * @property {boolean} isFolder
 * @property {number} size_bytes
 * @property {Date} modified
 */

/**
 * The file for a request's path, index.html for a path that ends in a slash. Nothing outside
 * `root` is ever found, neither by `..` nor through a symbolic link.
 *
 * @param {string} root
 * @param {string} address
 * @returns {Promise<Found | undefined>}
 */
async function findFile(root, address) {
  const decoded = decodePath(address);
  if (decoded === undefined) return undefined;
  const wanted = path.join(root, decoded, decoded.endsWith("/") ? "index.html" : "");
  try {
    const file = await realpath(wanted);
    if (file !== root && !file.startsWith(root + path.sep)) return undefined;
    const facts = await stat(file);
    if (!facts.isFile() && !facts.isDirectory()) return undefined;
    return { file, isFolder: facts.isDirectory(), size_bytes: facts.size, modified: facts.mtime };
  } catch {
    return undefined;
  }
}

/**
 * @param {string} address
 * @returns {string | undefined} nothing when the path is not one that a file of ours can have
 */
function decodePath(address) {
  try {
    const decoded = decodeURIComponent(address);
    return decoded.startsWith("/") && !/[\0\\]/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Found} found
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function sendFile(found, request, response) {
  const tag = `"${found.size_bytes.toString(36)}-${found.modified.getTime().toString(36)}"`;
  response.setHeader("ETag", tag);
  response.setHeader("Last-Modified", found.modified.toUTCString());
  // Every file is asked about again, so that a rebuilt site is seen at once.
  response.setHeader("Cache-Control", "no-cache");
  if (isUnchanged(request, tag, found.modified)) {
    response.writeHead(304).end();
    return;
  }
  const type = mimeTypes[path.extname(found.file).toLowerCase()] ?? "application/octet-stream";
  response.writeHead(200, { "Content-Type": type, "Content-Length": found.size_bytes });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  createReadStream(found.file)
    .on("error", () => response.destroy())
    .pipe(response);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {string} tag
 * @param {Date} modified
 */
function isUnchanged(request, tag, modified) {
  const tags = request.headers["if-none-match"];
  if (tags !== undefined) return tags.split(",").some((known) => known.trim() === tag);
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} reason
 */
function refuse(response, status, reason) {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" });
  response.end(`${reason}\n`);
}
