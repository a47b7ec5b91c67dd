// State that views follow: one plain object, replaced as a whole at each change.
import { useEffect, useReducer } from "preact/hooks";

export function createStore(initial) {
  let value = initial;
  const listeners = new Set();
  return {
    get: () => value,
    /** Takes the members that change, or a function from the value to them. */
    set(change) {
      const members = typeof change === "function" ? change(value) : change;
      value = { ...value, ...members };
      for (const listener of [...listeners]) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The store's value; the view is drawn again when what `select` gives has changed. */
export function useStore(store, select = (value) => value) {
  const [, redraw] = useReducer((count) => count + 1, 0);
  const chosen = select(store.get());
  useEffect(() => {
    let last = select(store.get());
    if (last !== chosen) redraw();
    return store.subscribe((value) => {
      const now = select(value);
      if (now !== last) {
        last = now;
        redraw();
      }
    });
  }, [store]);
  return chosen;
}
