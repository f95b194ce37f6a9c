// The table of every list: sorted by a click, drawn only where it is looked at, walked with j and k, and still under the
// pointer: while the mouse is over it no row changes its place.
import { type SortingState, createColumnHelper, getCoreRowModel, getSortedRowModel, useReactTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, memo, useEffect, useMemo, useRef, useState } from 'react';
import { useNew, useStill } from './still';

export interface Column<R> {
  id: string;
  head: string;
  cell: (row: R) => ReactNode;
  /** In pixels; without one it takes what is left. */
  width?: number;
  num?: boolean;
  /** What it is sorted by. */
  by?: (row: R) => string | number | undefined;
  /** Left out on a phone. */
  wide?: boolean;
}

interface Props<R> {
  label: string;
  columns: Column<R>[];
  rows: R[];
  name: (row: R) => string;
  open?: (row: R) => void;
  /** The row that is open. */
  at?: string;
  empty?: ReactNode;
}

const ROW = 34;

export function Table<R>({ label, columns, rows, name, open, at, empty }: Props<R>) {
  const wrap = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<SortingState>([]);
  const [cursor, setCursor] = useState(-1);
  const helper = useMemo(() => createColumnHelper<R>(), []);
  const model = useMemo(
    () => columns.map((column) => helper.accessor((row: R) => column.by?.(row), { id: column.id, enableSorting: !!column.by, sortUndefined: 'last' })),
    [columns, helper],
  );
  const table = useReactTable({
    data: rows, columns: model, state: { sorting }, onSortingChange: setSorting,
    getRowId: name, getCoreRowModel: getCoreRowModel(), getSortedRowModel: getSortedRowModel(),
  });
  const sorted = table.getRowModel().rows;
  const { held, hold } = useStill(useMemo(() => sorted.map((row) => row.original), [sorted]), name);
  const fresh = useNew(rows, name);
  const virtual = useVirtualizer({ count: held.length, getScrollElement: () => wrap.current, estimateSize: () => ROW, overscan: 6 });
  useWalk(held.length, cursor, setCursor, (index) => held[index] && open?.(held[index]), (index) => virtual.scrollToIndex(index));
  if (rows.length === 0 && empty) return empty;
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div className="table-wrap" ref={wrap} onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)} tabIndex={0} role="region" aria-label={label}>
      <table className="table" aria-rowcount={held.length}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} className={column.wide ? 'narrow-off' : undefined} width={column.width} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sorted={table.getColumn(column.id)?.getIsSorted() || false} sort={() => table.getColumn(column.id)?.toggleSorting()} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Pad height={before} span={columns.length} />}
          {shown.map(({ index }) => {
            const row = held[index] as R;
            const key = name(row);
            return <Row key={key} row={row} columns={columns} index={index} at={key === at || index === cursor} fresh={fresh.has(key)} open={open} />;
          })}
          {after > 0 && <Pad height={after} span={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps<R> {
  row: R;
  columns: Column<R>[];
  index: number;
  at: boolean;
  fresh: boolean;
  open?: (row: R) => void;
}

/** Drawn again only when something of it has changed, so that scrolling costs what comes into sight. */
const Row = memo(function Row<R>({ row, columns, index, at, fresh, open }: RowProps<R>) {
  return (
    <tr aria-rowindex={index + 1} data-link={open ? '' : undefined} data-at={at} data-new={fresh || undefined} onClick={() => open?.(row)}>
      {columns.map((column) => (
        <td key={column.id} className={`${column.num ? 'num' : ''} ${column.wide ? 'narrow-off' : ''}`}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <R>(props: RowProps<R>) => ReactNode;

function Head<R>({ column, sorted, sort }: { column: Column<R>; sorted: false | 'asc' | 'desc'; sort: () => void }) {
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={order} className={`${column.num ? 'num' : ''} ${column.wide ? 'narrow-off' : ''}`}>
      {column.by ? (
        <button type="button" onClick={sort}>
          {column.head} {sorted === 'asc' && <ArrowUp size={11} aria-hidden />}
          {sorted === 'desc' && <ArrowDown size={11} aria-hidden />}
        </button>
      ) : (
        column.head
      )}
    </th>
  );
}

const Pad = ({ height, span }: { height: number; span: number }) => (
  <tr className="pad" aria-hidden>
    <td colSpan={span} style={{ height }} />
  </tr>
);

/** j and k walk, Enter opens. */
function useWalk(length: number, cursor: number, set: (at: number) => void, open: (at: number) => void, show: (at: number) => void) {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || document.querySelector('dialog[open]')) return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step !== 0) {
        const next = Math.min(Math.max(cursor + step, 0), length - 1);
        set(next);
        show(next);
      } else if (event.key === 'Enter' && cursor >= 0 && !/^(A|BUTTON)$/.test(target.tagName)) {
        open(cursor);
      }
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, [length, cursor, set, open, show]);
}
