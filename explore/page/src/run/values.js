// Recorded values as the server sends them: tensors' bytes as numbers, and trees of values beside each other.

function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * 2 ** -14 * (fraction / 1024);
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

function bfloatToNumber(view, at) {
  const whole = new DataView(new ArrayBuffer(4));
  whole.setUint32(0, view.getUint16(at, true) << 16);
  return whole.getFloat32(0);
}

// dtype: [bytes of an element, element at an offset, significant digits]
const DTYPES = {
  float64: [8, (v, at) => v.getFloat64(at, true), 17],
  float32: [4, (v, at) => v.getFloat32(at, true), 9],
  float16: [2, (v, at) => halfToNumber(v.getUint16(at, true)), 5],
  bfloat16: [2, bfloatToNumber, 4],
  int64: [8, (v, at) => v.getBigInt64(at, true)],
  int32: [4, (v, at) => v.getInt32(at, true)],
  int16: [2, (v, at) => v.getInt16(at, true)],
  int8: [1, (v, at) => v.getInt8(at)],
  uint64: [8, (v, at) => v.getBigUint64(at, true)],
  uint32: [4, (v, at) => v.getUint32(at, true)],
  uint16: [2, (v, at) => v.getUint16(at, true)],
  uint8: [1, (v, at) => v.getUint8(at)],
  bool: [1, (v, at) => v.getUint8(at) !== 0],
  complex64: [8, (v, at) => [v.getFloat32(at, true), v.getFloat32(at + 4, true)], 9],
  complex128: [16, (v, at) => [v.getFloat64(at, true), v.getFloat64(at + 8, true)], 17],
};

function bytesOf(record) {
  const text = atob(record.bytes?.base64 ?? "");
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** {dtype, shape, count, bytes, size, at(i), digits} of a recorded tensor; null if its elements can't be read. */
export function elementsOf(record) {
  const known = DTYPES[record.dtype];
  if (!known || record.unreadable || (record.layout ?? "strided") !== "strided") return null;
  const [size, read, digits] = known;
  const bytes = bytesOf(record);
  const view = new DataView(bytes.buffer);
  const shape = record.shape ?? [];
  return {
    dtype: record.dtype,
    shape,
    count: bytes.length / size,
    bytes,
    size,
    digits,
    at: (i) => read(view, i * size),
  };
}

export function sameBits(one, other, i) {
  for (let b = i * one.size; b < (i + 1) * one.size; b++) if (one.bytes[b] !== other.bytes[b]) return false;
  return true;
}

/** Indices of elements whose bits differ, and null if the two can't be compared element by element. */
export function differing(one, other) {
  if (one.dtype !== other.dtype || one.count !== other.count || String(one.shape) !== String(other.shape)) return null;
  const indices = [];
  for (let i = 0; i < one.count; i++) if (!sameBits(one, other, i)) indices.push(i);
  return indices;
}

/** An element as text, with as many significant digits as its dtype has at most. */
export function elementText(value, digits = 9) {
  if (Array.isArray(value))
    return `${elementText(value[0], digits)}${value[1] < 0 || Object.is(value[1], -0) ? "" : "+"}${elementText(value[1], digits)}j`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "bigint" || digits === undefined) return String(value);
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0";
  return String(digits === 9 ? shortestSingle(value) : Number(value.toPrecision(digits)));
}

/** How far apart two elements are, never negative; of 64-bit integers as one, since a number would round it. */
export function distance(one, other) {
  if (Array.isArray(one)) return Math.hypot(one[0] - other[0], one[1] - other[1]);
  if (typeof one === "bigint") return one < other ? other - one : one - other;
  return Math.abs(Number(other) - Number(one));
}

// The shortest decimal number that is the same number in float32.
function shortestSingle(value) {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** The index of an element in a shape: [1, 0, 2]. */
export function indexIn(shape, i) {
  const index = [];
  for (let d = shape.length - 1; d >= 0; d--) {
    index.unshift(i % shape[d]);
    i = Math.floor(i / shape[d]);
  }
  return index;
}

export const tensorTitle = (record) => `${record.dtype}[${(record.shape ?? []).join(", ")}]`;

/** A Python float as `float.hex` writes it, in decimal. */
export function fromHex(text) {
  const parts = /^(-?)0x([01])\.?([0-9a-f]*)p([+-]\d+)$/.exec(text);
  if (!parts) return text;
  const [, sign, whole, fraction, exponent] = parts;
  const value =
    (Number(whole) + (fraction ? parseInt(fraction, 16) / 16 ** fraction.length : 0)) * 2 ** Number(exponent);
  return elementText(sign ? -value : value, 17);
}

/** The leaves of a value: {where, value} with tensors, numbers and texts; `where` as verdicts write it. */
export function leavesOf(value, where, leaves = []) {
  if (!value || value.kind === "none" || value.kind === undefined) return leaves;
  const items = value.items ?? [];
  if (items.length === 0) leaves.push({ where, value });
  items.forEach((item, i) => {
    const label = value.labels?.[i];
    const place = label === undefined ? `[${i}]` : value.kind === "object" ? `.${label}` : `[${label}]`;
    leavesOf(item, where + place, leaves);
  });
  return leaves;
}

/** What a leaf that is no tensor shows. */
export function leafText(value) {
  if (value.kind === "float") return fromHex(value.text ?? "");
  if (value.kind === "sequence") return `${value.type} of nothing`;
  if (value.kind === "mapping" || value.kind === "set" || value.kind === "object") return `${value.type} (empty)`;
  return value.text ?? value.type ?? value.kind;
}
