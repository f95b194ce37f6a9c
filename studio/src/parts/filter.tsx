// A search field whose text is kept in the address.
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useParams } from './params';

export function Filter({ name = 'q', label }: { name?: string; label: string }) {
  const [params, set] = useParams();
  const kept = params[name] ?? '';
  const [text, setText] = useState(kept);
  useEffect(() => setText(kept), [kept]);
  useEffect(() => {
    if (text === kept) return;
    const timer = setTimeout(() => set({ [name]: text }, { replace: true }), 200);
    return () => clearTimeout(timer);
  }, [text, kept, name, set]);
  return (
    <label className="find">
      <Search size={14} aria-hidden />
      <span className="unseen">{label}</span>
      <input className="grow" style={{ background: 'none', border: 0, outline: 'none' }} placeholder={label} value={text} onChange={(event) => setText(event.target.value)} />
    </label>
  );
}

export function Choice({ name, label, options }: { name: string; label: string; options: Record<string, string> }) {
  const [params, set] = useParams();
  return (
    <label>
      <span className="unseen">{label}</span>
      <select className="field" value={params[name] ?? ''} onChange={(event) => set({ [name]: event.target.value }, { replace: true })}>
        {Object.entries(options).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Any of several, kept in the address with commas between; the usual ones are not written down. */
export function Several({ name, label, options, usual }: { name: string; label: string; options: Record<string, string>; usual: string }) {
  const [params, set] = useParams();
  const chosen = (params[name] ?? usual).split(',').filter(Boolean);
  const toggle = (value: string) => {
    const next = Object.keys(options).filter((one) => chosen.includes(one) !== (one === value)).join(',') || 'none';
    set({ [name]: next === usual ? undefined : next }, { replace: true });
  };
  return (
    <div className="card-head several" role="group" aria-label={label}>
      {Object.entries(options).map(([value, word]) => (
        <label key={value} className="chip">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <bdi>{word}</bdi>
        </label>
      ))}
    </div>
  );
}

interface TabsProps {
  name: string;
  tabs: Record<string, string>;
  /** What is shown if the address says nothing: else the first. */
  usual?: string;
}

/** Views of one page; the arrows go from one to the next. */
export function Tabs({ name, tabs, usual }: TabsProps) {
  const [params, set] = useParams();
  const all = Object.keys(tabs);
  const first = usual ?? all[0] ?? '';
  const at = params[name] ?? first;
  const go = (value: string | undefined) => set({ [name]: value === first ? undefined : value });
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = (all.indexOf(at) + step + all.length) % all.length;
    go(all[next]);
    (event.currentTarget.children[next] as HTMLElement).focus();
  };
  return (
    <div className="tabs" role="tablist" onKeyDown={key}>
      {Object.entries(tabs).map(([value, word]) => (
        <button key={value} type="button" role="tab" className="tab" aria-selected={value === at} tabIndex={value === at ? 0 : -1} onClick={() => go(value)}>
          {word}
        </button>
      ))}
    </div>
  );
}

/** Whether any of the texts has what is looked for. */
export const matches = (sought: string | undefined, ...texts: (string | null | undefined)[]) =>
  !sought || texts.some((text) => text?.toLowerCase().includes(sought.toLowerCase()));
