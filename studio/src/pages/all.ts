// Every page, in the order of the rail. A page is a folder and a line here.
import { Activity, Bot, type LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

export interface PageInfo {
  path: string;
  title: string;
  /** After `g`. */
  letter: string;
  /** Whose `read` scope it needs. */
  noun?: string;
  icon: LucideIcon;
  /** A space before it in the rail. */
  gap?: boolean;
  load: () => Promise<{ default: ComponentType }>;
}

export const pages: PageInfo[] = [
  { path: '/', title: 'Overview', letter: 'o', icon: Activity, load: () => import('./overview') },
  { path: '/agents', title: 'Agents', letter: 'a', noun: 'agents', icon: Bot, load: () => import('./agents') },
];
