// A search field whose text is kept in the address.
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
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

export function Tabs({ name, tabs }: { name: string; tabs: Record<string, string> }) {
  const [params, set] = useParams();
  const first = Object.keys(tabs)[0] ?? '';
  const at = params[name] ?? first;
  return (
    <div className="tabs" role="tablist">
      {Object.entries(tabs).map(([value, word]) => (
        <button key={value} type="button" role="tab" className="tab" aria-selected={value === at} onClick={() => set({ [name]: value === first ? undefined : value })}>
          {word}
        </button>
      ))}
    </div>
  );
}

/** Whether any of the texts has what is looked for. */
export const matches = (sought: string | undefined, ...texts: (string | null | undefined)[]) =>
  !sought || texts.some((text) => text?.toLowerCase().includes(sought.toLowerCase()));
