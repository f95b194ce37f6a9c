// Who is signed in, and what they can switch.
import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { setReadOnly, signOut, useMe, useReadOnly } from '@/api/session';
import { sayRefused } from '@/parts/toast';
import { Sheet } from './dialog';
import { EnvironmentChoice } from './environment';
import { type Theme, setTheme, useTheme } from './theme';

export function Person({ onHelp }: { onHelp: () => void }) {
  const [open, setOpen] = useState(false);
  const me = useMe().data;
  const readOnly = useReadOnly();
  const theme = useTheme();
  return (
    <>
      <button type="button" className="button" data-kind="plain" aria-label="You" onClick={() => setOpen(true)}>
        <CircleUser size={18} />
        <span className="wide foreign">{me?.name}</span>
      </button>
      {open && (
        <Sheet label="You" onClose={() => setOpen(false)}>
          <div className="sheet-body stack">
            <h2 className="foreign">
              {me?.name} <span className="soft">as {me?.role}</span>
            </h2>
            <label className="row">
              <input type="checkbox" checked={readOnly} onChange={(event) => setReadOnly(event.target.checked)} />
              Read-only: nothing can be changed from this browser
            </label>
            <label className="row">
              Theme
              <select className="field" value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
                <option value="system">As the system</option>
                <option value="light">Light</option>
                <option value="dark">Dark</option>
              </select>
            </label>
            <EnvironmentChoice />
            <div className="row">
              <button type="button" className="button" onClick={() => signOut().catch((error: unknown) => sayRefused('Sign out', error))}>
                Sign out
              </button>
              <button type="button" className="button" data-kind="plain" onClick={() => { setOpen(false); onHelp(); }}>
                Keys
              </button>
              <button type="button" className="button" data-kind="plain" onClick={() => setOpen(false)}>
                Close
              </button>
            </div>
          </div>
        </Sheet>
      )}
    </>
  );
}
