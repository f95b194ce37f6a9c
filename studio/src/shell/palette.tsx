// Find: any page by its name, any thing by its id.
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { api } from '@/api/client';
import { pages } from '@/pages/all';
import { Sheet } from './dialog';
import { placeOf } from './place';

interface Hit {
  key: string;
  title: string;
  hint: string;
  to: string;
  search?: Record<string, string>;
}

export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const { hits, looking } = useHits(text.trim());
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    void navigate({ to: hit.to, search: hit.search as never });
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, hits.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter') go(hits[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Sheet label="Find" onClose={onClose} palette>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="hits"
        aria-activedescendant={hits[at] && `hit-${at}`}
        aria-label="Find anything by its id"
        placeholder="An id, a lock such as name:release, or a page"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={key}
      />
      <ul id="hits" role="listbox" aria-label="Found">
        {hits.map((hit, index) => (
          <li key={hit.key} id={`hit-${index}`} role="option" aria-selected={index === at} onPointerEnter={() => setAt(index)} onClick={() => go(hit)}>
            <span className="grow foreign">{hit.title}</span>
            <span className="faint small">{hit.hint}</span>
          </li>
        ))}
      </ul>
      {text.trim() && hits.length === 0 && (looking ? <p className="card-body soft" role="status">Looking…</p> : <p className="card-body soft">Nothing has this id, whole and as it is written. Ids are not searched by their parts.</p>)}
    </Sheet>
  );
}

function useHits(text: string): { hits: Hit[]; looking: boolean } {
  const q = useDeferredValue(text);
  const query = api.useQuery('get', '/api/v1/find', { params: { query: { q } } }, { enabled: q.length > 0, refetchInterval: false, placeholderData: undefined });
  const found = query.data?.found ?? [];
  const named = pages
    .filter((page) => page.title.toLowerCase().includes(text.toLowerCase()))
    .map((page): Hit => ({ key: page.path, title: page.title, hint: `g ${page.letter}`, to: page.path }));
  const things = found.flatMap((one): Hit[] => {
    const to = placeOf(one.path);
    return to ? [{ key: `${one.noun} ${one.path}`, title: one.id, hint: one.what, ...to }] : [];
  });
  return { hits: [...things, ...named], looking: q !== text || query.isFetching };
}
