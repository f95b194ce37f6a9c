// Every page, in the order of the rail. A page is a folder and a line here.
import { Activity, Bot, CalendarClock, KeyRound, Layers, ListTree, type LucideIcon, Lock, MailX, MessagesSquare, Radio, Server, Settings, Workflow } from 'lucide-react';
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
  { path: '/locks', title: 'Locks', letter: 'l', noun: 'locks', icon: Lock, load: () => import('./locks') },
  { path: '/queues', title: 'Queues', letter: 'q', noun: 'queues', icon: Layers, gap: true, load: () => import('./queues') },
  { path: '/dead', title: 'Dead letters', letter: 'd', noun: 'dead', icon: MailX, load: () => import('./dead') },
  { path: '/tasks', title: 'Tasks', letter: 't', noun: 'tasks', icon: ListTree, load: () => import('./tasks') },
  { path: '/workflows', title: 'Workflows', letter: 'w', noun: 'workflows', icon: Workflow, load: () => import('./workflows') },
  { path: '/messages', title: 'Messages', letter: 'm', noun: 'messages', icon: MessagesSquare, gap: true, load: () => import('./messages') },
  { path: '/jobs', title: 'Jobs', letter: 'j', noun: 'jobs', icon: CalendarClock, load: () => import('./jobs') },
  { path: '/services', title: 'Services', letter: 'v', noun: 'services', icon: Server, load: () => import('./services') },
  { path: '/events', title: 'Events and logs', letter: 'e', noun: 'events', icon: Radio, load: () => import('./events') },
  { path: '/keys', title: 'Keys', letter: 'k', noun: 'keys', icon: KeyRound, gap: true, load: () => import('./keys') },
  { path: '/settings', title: 'Settings', letter: 's', icon: Settings, load: () => import('./settings') },
];
