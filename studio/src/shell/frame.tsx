// The frame around every page.
import { Outlet } from '@tanstack/react-router';
import { Menu, Search, SunMoon } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { onSignedOut, queries } from '@/api/client';
import { useView } from '@/api/live';
import { asProblem } from '@/api/problem';
import { useMe } from '@/api/session';
import { Loading } from '@/parts/blank';
import { Toasts } from '@/parts/toast';
import { Connection } from './connection';
import { Help } from './help';
import { useKeys } from './keys';
import { Palette } from './palette';
import { Person } from './person';
import { Rail } from './rail';
import { SignIn } from './sign-in';
import { getTheme, setTheme } from './theme';

export function Frame() {
  const me = useMe();
  useEffect(() => onSignedOut(() => void queries.invalidateQueries({ queryKey: ['get', '/api/v1/me'] })), []);
  const problem = me.error ? asProblem(me.error) : undefined;
  if (problem?.status === 401) return <SignIn />;
  if (me.data) return <Inside />;
  if (problem) return <SignIn problem={problem} />;
  return <Loading />;
}

function Inside() {
  const [over, setOver] = useState<'find' | 'help'>();
  const [rail, setRail] = useState(false);
  const find = useCallback(() => setOver('find'), []);
  const help = useCallback(() => setOver('help'), []);
  const close = useCallback(() => setOver(undefined), []);
  useKeys(find, help);
  // The pulse of every page: the smallest of the live views, so that a cut connection is noticed wherever one looks.
  useView('queues');
  return (
    <div className="frame">
      <a href="#main" className="unseen">
        Skip to the page
      </a>
      <Rail open={rail} onGo={() => setRail(false)} />
      <header className="bar">
        <button type="button" className="button menu-button" data-kind="plain" aria-label="Pages" onClick={() => setRail(!rail)}>
          <Menu size={18} />
        </button>
        <button type="button" className="find" onClick={find}>
          <Search size={14} aria-hidden />
          <span className="grow">Find anything by its id</span>
          <kbd className="wide">/</kbd>
        </button>
        <span className="grow" />
        <Environment />
        <Connection />
        <button type="button" className="button wide" data-kind="plain" aria-label="Light or dark" onClick={flip}>
          <SunMoon size={16} />
        </button>
        <Person onHelp={help} />
      </header>
      <main className="main" id="main" tabIndex={-1}>
        <Outlet />
      </main>
      {over === 'find' && <Palette onClose={close} />}
      {over === 'help' && <Help onClose={close} />}
      <Toasts />
    </div>
  );
}

/** Which plane this is: its address, and its namespace if it has one. */
function Environment() {
  const environment = useMe().data?.environment;
  return (
    <span className="scope wide" title={`Quorate ${environment?.version ?? ''}, ${environment?.layout ?? ''} layout`}>
      {environment?.namespace ? `${environment.namespace} at ` : ''}
      {location.host}
    </span>
  );
}

function flip() {
  const dark = getTheme() === 'dark' || (getTheme() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  setTheme(dark ? 'light' : 'dark');
}
