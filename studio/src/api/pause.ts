// Whether the reader has frozen the page.
import { useSyncExternalStore } from 'react';

let paused = false;
const listeners = new Set<() => void>();

export const isPaused = () => paused;

export function setPaused(value: boolean): void {
  paused = value;
  listeners.forEach((listener) => listener());
}

export function onPause(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePaused = () => useSyncExternalStore(onPause, isPaused);
