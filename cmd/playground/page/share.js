// A link holds the text itself, behind the #, which browsers do not send to servers.
const mark = "#text=";

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// linkTo is the address of this page with a text.
export async function linkTo(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const base64 = btoa(Array.from(bytes, b => String.fromCharCode(b)).join(""));
  return location.href.split("#")[0] + mark + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// shared is the text of such a link; null where there is none, or it was cut.
export async function shared(hash) {
  if (!hash.startsWith(mark)) return null;
  try {
    const base64 = hash.slice(mark.length).replaceAll("-", "+").replaceAll("_", "/");
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), Uint8Array.from(atob(base64), c => c.charCodeAt(0))));
  } catch { return null; }
}
