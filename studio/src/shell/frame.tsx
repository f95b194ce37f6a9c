// The frame around every page.
import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu, Search, SunMoon } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { onSignedOut, queries } from '@/api/client';
import { useNeedsPulse, useView } from '@/api/live';
import { asProblem } from '@/api/problem';
import { useHindrance, useMe } from '@/api/session';
import { pages } from '@/pages/all';
import { Failed } from '@/parts/blank';
import { Page } from '@/parts/page';
import { Toasts } from '@/parts/toast';
import { Connection, Cut } from './connection';
import { Help } from './help';
import { useKeys } from './keys';
import { Palette } from './palette';
import { Person } from './person';
import { Rail } from './rail';
import { EnvironmentChoice } from './environment';
import { Away, SignIn, Waiting } from './sign-in';
import { flipTheme } from './theme';

export function Frame() {
  const me = useMe();
  useEffect(() => onSignedOut(() => void queries.invalidateQueries({ queryKey: ['get', '/api/v1/me'] })), []);
  const problem = me.error ? asProblem(me.error) : undefined;
  if (problem?.status === 401) return <SignIn />;
  if (me.data) return <Inside />;
  if (problem) return <Away problem={problem} />;
  return <Waiting />;
}

function Inside() {
  const [over, setOver] = useState<'find' | 'help'>();
  const [rail, setRail] = useState(false);
  const find = useCallback(() => setOver('find'), []);
  const help = useCallback(() => setOver('help'), []);
  const close = useCallback(() => setOver(undefined), []);
  useKeys(find, help);
  const quiet = useNeedsPulse();
  const may = useHindrance();
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
        <button type="button" className="button wide" data-kind="plain" aria-label="Light or dark" onClick={flipTheme}>
          <SunMoon size={16} />
        </button>
        <Person onHelp={help} />
      </header>
      <main className="main" id="main" tabIndex={-1}>
        <Cut />
        <Allowed />
      </main>
      {over === 'find' && <Palette onClose={close} />}
      {over === 'help' && <Help onClose={close} />}
      <Toasts />
      {quiet && may('queues', 'read') === undefined && <Pulse />}
    </div>
  );
}

/** The page, or why it may not be seen. */
function Allowed() {
  const { pathname } = useLocation();
  const page = pages.find((one) => one.path === pathname);
  const hindrance = useHindrance()(page?.noun ?? '', 'read');
  if (!page?.noun || !hindrance) return <Outlet />;
  return (
    <Page title={page.title} answer="You may not see this page.">
      <Failed error={{ status: 403, code: 'forbidden', detail: hindrance, next: 'Ask an admin for a token or a sign-in with this scope.' }} />
    </Page>
  );
}

/** So that a cut connection is noticed wherever one looks; a browser has few of them, so none where the page has its own. */
function Pulse() {
  useView('queues');
  return null;
}

/** Which plane this is, and which environment of its services one looks at. */
function Environment() {
  const plane = useMe().data?.environment;
  return (
    <>
      <span className="scope wide" title={`Quorate ${plane?.version ?? ''}, ${plane?.layout ?? ''} layout`}>
        {plane?.namespace ? `${plane.namespace} at ` : ''}
        {location.host}
      </span>
      <EnvironmentChoice wide />
    </>
  );
}
