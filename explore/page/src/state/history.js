// Undo and redo over whole documents, which share their texts.
const LIMIT = 100;

export const begin = (present) => ({ past: [], present, future: [] });

/** The present goes to the past unless nothing has changed. */
export function change({ past, present }, next) {
  return { past: [...past, present].slice(-LIMIT), present: next, future: [] };
}

export function undo(history) {
  const { past, present, future } = history;
  if (past.length === 0) return history;
  return { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] };
}

export function redo(history) {
  const { past, present, future } = history;
  if (future.length === 0) return history;
  return { past: [...past, present], present: future[0], future: future.slice(1) };
}
