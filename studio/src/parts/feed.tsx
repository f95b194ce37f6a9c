// A list that grows at its top. While the pointer is over it nothing moves; what came meanwhile is counted.
import { type ReactNode, useState } from 'react';

interface Props<T> {
  label: string;
  items: T[];
  name: (item: T) => string;
  row: (item: T) => ReactNode;
  /** How its columns lie: `tall`, `log`, `streams`, `activity`. */
  kind?: string;
}

export function FeedList<T>({ label, items, name, row, kind = '' }: Props<T>) {
  const [held, setHeld] = useState<T[]>();
  const first = held?.[0];
  // What was held may be an empty list: then everything is late.
  const known = first === undefined ? -1 : items.findIndex((item) => name(item) === name(first));
  const late = known < 0 ? items.length : known;
  return (
    <div className="feed-wrap" onPointerMove={() => setHeld((own) => own ?? items)} onPointerLeave={() => setHeld(undefined)}>
      <ol className={`feed ${kind}`} aria-label={label} tabIndex={0}>
        {(held ?? items).map((item) => (
          <li key={name(item)}>{row(item)}</li>
        ))}
      </ol>
      {held && late > 0 && <span className="badge late" data-tone="accent">{late} more since you look here</span>}
    </div>
  );
}
