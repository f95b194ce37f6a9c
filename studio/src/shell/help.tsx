// The keys, in one place.
import { pages } from '@/pages/all';
import { Sheet } from './dialog';

const KEYS: [string, string][] = [
  ['Ctrl K, /', 'Find anything by its id'],
  ['j, k', 'Down and up in a table'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close the drawer'],
  ['p', 'Freeze the page, or let it go on'],
  ['?', 'This help'],
];

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Sheet label="Keyboard help" onClose={onClose}>
      <div className="sheet-body stack">
        <h2>Keys</h2>
        <dl className="facts">
          {[...KEYS, ...pages.map((page): [string, string] => [`g ${page.letter}`, page.title])].map(([key, what]) => (
            <div key={key} style={{ display: 'contents' }}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Sheet>
  );
}
