// The language in a browser's Python: node language.mjs PACKAGES TESTS TRANSCRIPT
// prints, as one JSON list, the texts that a page is told of a recorded game.
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { loadPyodide } from "pyodide";

const [packages, tests, transcript] = process.argv.slice(2);
const { Point } = secp256k1;
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const number = (hex) => BigInt(`0x${hex}`);

const curves = {
  readPoint(hex) {
    try {
      return Point.fromHex(hex);
    } catch {
      return undefined;
    }
  },
  writePoint: (point) => (point.is0() ? "" : point.toHex(true)),
  times: (point, hex) => point.multiplyUnsafe(number(hex)),
  generator: (hex) => Point.BASE.multiply(number(hex)),
  sum: (one, other) => one.add(other),
  verify: (signature, message, key) =>
    ed25519.verify(bytes(signature), bytes(message), bytes(key), { zip215: false }),
};

const pyodide = await loadPyodide();
pyodide.FS.mkdirTree("/given");
for (const [name, folder] of Object.entries({ packages, tests })) {
  pyodide.FS.mkdirTree(`/given/${name}`);
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: folder }, `/given/${name}`);
}
pyodide.registerJsModule("curves", curves);
pyodide.globals.set("transcript", transcript);
const told = await pyodide.runPythonAsync(`
import json, sys
sys.path[:0] = ["/given/packages", "/given/tests"]
import curves, standins
standins.install(curves)
import recorded
with open("/given/tests/" + transcript, "rb") as file:
    texts = recorded.texts_of(file.read())
json.dumps({"python": list(sys.version_info[:2]), "texts": texts})
`);
process.stdout.write(told);
