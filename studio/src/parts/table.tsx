// The table of every list: sorted by a click, drawn only where it is looked at, walked with j and k, and still under the
// pointer: while the mouse is over it no row changes its place.
import { type SortingState, createColumnHelper, getCoreRowModel, useReactTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useOrder } from './order';
import { useNew, useStill } from './still';
import { useWalk } from './walk';

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

/** As the theme has it: a row is taller where it is touched. */
const ROW = 34;
const ROW_PHONE = 42;
/** The head stays in sight, and takes this much of what is scrolled. */
const HEAD = 32;
const PHONE = matchMedia('(max-width: 760px)');

export function Table<R>(props: Props<R>) {
  return props.rows.length === 0 && props.empty ? props.empty : <Filled {...props} />;
}

function Filled<R>({ label, columns, rows, name, open, at }: Props<R>) {
  const wrap = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<SortingState>([]);
  const [cursor, setCursor] = useState(-1);
  const table = useColumns(rows, columns, sorting, setSorting);
  const { held, gone, hold } = useStill(useOrder(rows, columns, sorting), name);
  const fresh = useNew(rows, name);
  const virtual = useVirtualizer({ count: held.length, getScrollElement: () => wrap.current, estimateSize: () => (PHONE.matches ? ROW_PHONE : ROW), overscan: 6, scrollPaddingEnd: HEAD });
  const pick = useSteady(open);
  const go = (index: number) => {
    setCursor(index);
    virtual.scrollToIndex(index);
  };
  useWalk(wrap, { length: held.length, cursor, go, open: (index) => held[index] && open?.(held[index]) });
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div className="table-wrap" ref={wrap} onPointerMove={() => hold(true)} onPointerLeave={() => hold(false)} tabIndex={0} role="region" aria-label={label}>
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
            return <Row key={key} row={row} columns={columns} index={index} at={key === at || index === cursor} fresh={fresh.has(key)} gone={gone.has(key)} open={open && pick} />;
          })}
          {after > 0 && <Pad height={after} span={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

/** What is sorted by which column. The rows are ordered by us: a model of each of them is dear where there are many. */
function useColumns<R>(rows: R[], columns: Column<R>[], sorting: SortingState, onSortingChange: (next: SortingState | ((before: SortingState) => SortingState)) => void) {
  const model = useMemo(() => {
    const helper = createColumnHelper<R>();
    return columns.map((column) => helper.accessor((row: R) => column.by?.(row), { id: column.id, enableSorting: !!column.by }));
  }, [columns]);
  return useReactTable({ data: rows, columns: model, state: { sorting }, onSortingChange, manualSorting: true, getCoreRowModel: getCoreRowModel() });
}

/** The same function as long as the table lives, so that rows are not drawn again because their page was. */
function useSteady<R>(open: ((row: R) => void) | undefined): (row: R) => void {
  const now = useRef(open);
  useEffect(() => {
    now.current = open;
  });
  return useCallback((row: R) => now.current?.(row), []);
}

interface RowProps<R> {
  row: R;
  columns: Column<R>[];
  index: number;
  at: boolean;
  fresh: boolean;
  /** It went while the pointer was over the table. */
  gone: boolean;
  open?: (row: R) => void;
}

/** Drawn again only when something of it has changed, so that scrolling costs what comes into sight. */
const Row = memo(function Row<R>({ row, columns, index, at, fresh, gone, open }: RowProps<R>) {
  return (
    <tr aria-rowindex={index + 1} data-link={open ? '' : undefined} data-at={at} data-new={fresh || undefined} data-gone={gone || undefined} title={gone ? 'Gone meanwhile' : undefined} onClick={open && (() => open(row))}>
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <R>(props: RowProps<R>) => ReactNode;

const classOf = <R,>({ num, wide }: Column<R>) => (num ? (wide ? 'num narrow-off' : 'num') : wide ? 'narrow-off' : undefined);

function Head<R>({ column, sorted, sort }: { column: Column<R>; sorted: false | 'asc' | 'desc'; sort: () => void }) {
  const order = sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined;
  return (
    <th scope="col" aria-sort={order} className={classOf(column)}>
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
