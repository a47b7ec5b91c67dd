// Small numbers that look random, the same each time.
export function* numbers(seed) {
  for (let state = seed; ; yield state >>> 16) state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
}
