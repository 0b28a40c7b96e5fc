// The worker of the page: unpacks the module and the files, runs the module and passes messages on.
let ready;
const queue = [];
self.sparTell = (id, text) => postMessage([id, text]);
self.onmessage = ({ data }) => {
  if (data[1] === "module") start(data[2], data[3]).catch((e) => setTimeout(() => { throw e; }));
  else if (ready) sparAsk(...data);
  else queue.push(data);
};

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

async function start(wasm, files) {
  const go = new Go();
  self.sparFiles = bytes(files);
  const { instance } = await WebAssembly.instantiate(await gunzip(bytes(wasm)), go.importObject);
  go.run(instance);
  ready = true;
  for (const data of queue.splice(0)) sparAsk(...data);
}

function gunzip(packed) {
  if (!self.DecompressionStream) return inflate(packed);
  const through = new DecompressionStream("gzip");
  const into = through.writable.getWriter();
  into.write(packed);
  into.close();
  return new Response(through.readable).arrayBuffer();
}

// inflate unpacks what Go's gzip writes, which has no optional header fields, where the browser cannot (RFC 1951).
function inflate(from) {
  const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
  const out = new Uint8Array(view.getUint32(from.length - 4, true));
  let at = 10, put = 0, hold = 0, held = 0;
  const bits = (n) => {
    while (held < n) { hold |= from[at++] << held; held += 8; }
    const v = hold & ((1 << n) - 1);
    hold >>>= n;
    held -= n;
    return v;
  };
  const tree = (lengths) => {
    const count = new Uint16Array(16), start = new Uint16Array(16), symbols = new Uint16Array(lengths.length);
    for (const l of lengths) count[l]++;
    count[0] = 0;
    for (let i = 1; i < 16; i++) start[i] = start[i - 1] + count[i - 1];
    lengths.forEach((l, s) => { if (l) symbols[start[l]++] = s; });
    return { count, symbols };
  };
  const symbol = ({ count, symbols }) => {
    for (let code = 0, first = 0, index = 0, l = 1; ; l++) {
      code |= bits(1);
      if (code - first < count[l]) return symbols[index + code - first];
      index += count[l];
      first = (first + count[l]) << 1;
      code <<= 1;
    }
  };
  const lengthOf = (s) => s < 8 ? s + 3 : s === 28 ? 258 : ((4 + (s & 3)) << ((s >> 2) - 1)) + 3 + bits((s >> 2) - 1);
  const distance = (s) => s < 4 ? s + 1 : ((2 + (s & 1)) << ((s >> 1) - 1)) + 1 + bits((s >> 1) - 1);
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      hold = held = 0;
      const n = view.getUint16(at, true);
      out.set(from.subarray(at + 4, at + 4 + n), put);
      at += 4 + n;
      put += n;
      continue;
    }
    let lengths = [...Array(288)].map((_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    let literals = tree(lengths), distances = tree(Array(30).fill(5));
    if (kind === 2) {
      const [l, d, c] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
      const own = Array(19).fill(0);
      for (const i of [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].slice(0, c)) own[i] = bits(3);
      const codes = tree(own);
      for (lengths = []; lengths.length < l + d;) {
        const s = symbol(codes);
        if (s < 16) lengths.push(s);
        else {
          const repeats = s === 16 ? 3 + bits(2) : s === 17 ? 3 + bits(3) : 11 + bits(7);
          lengths.push(...Array(repeats).fill(s === 16 ? lengths.at(-1) : 0));
        }
      }
      [literals, distances] = [tree(lengths.slice(0, l)), tree(lengths.slice(l))];
    }
    for (let s; (s = symbol(literals)) !== 256;) {
      if (s < 256) { out[put++] = s; continue; }
      const n = lengthOf(s - 257), back = distance(symbol(distances));
      for (let i = 0; i < n; i++, put++) out[put] = out[put - back];
    }
  }
  return out;
}
