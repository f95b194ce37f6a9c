// Light, dark, or as the system says.
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const NAME = 'quorate.theme';
const listeners = new Set<() => void>();

export function getTheme(): Theme {
  const kept = localStorage.getItem(NAME);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(NAME, theme);
  applyTheme();
  listeners.forEach((listener) => listener());
}

export function applyTheme(): void {
  const theme = getTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const useTheme = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getTheme);

const SYSTEM = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => getTheme() === 'dark' || (getTheme() === 'system' && SYSTEM.matches);

/** Whether it is dark now, by choice or as the system says. */
export const useDark = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    SYSTEM.addEventListener('change', listener);
    return () => {
      listeners.delete(listener);
      SYSTEM.removeEventListener('change', listener);
    };
  }, isDark);

export const flipTheme = () => setTheme(isDark() ? 'light' : 'dark');
