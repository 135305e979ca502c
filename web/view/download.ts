// Gives the learner a text as a file.

/** How long a browser may take to begin the download before the address is forgotten. */
const keepAddress_ms = 60_000;

export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keepAddress_ms);
}
