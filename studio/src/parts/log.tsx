// Log records as lines: when, how serious, whose, what.
import { FeedList } from './feed';
import { State } from './state';
import { clockTime } from './time';

export type LogRecord = Record<string, unknown>;

const LONGEST = 2_000;

/** A record has no id in every answer; two that say the same at the same time are one. */
export const nameOf = (record: LogRecord) => `${String(record.service)} ${String(record.ts)} ${String(record.msg)} ${JSON.stringify(record.fields)}`;

export function LogLines({ records, label }: { records: LogRecord[]; label: string }) {
  return (
    <FeedList
      kind="log tall"
      label={label}
      items={records}
      name={nameOf}
      row={(record) => (
        <>
          <span className="faint" title={String(record.ts)}>{clockTime(String(record.ts))}</span>
          <State word={String(record.level ?? 'info')} />
          <bdi className="soft">{String(record.service ?? '').slice(0, 20)}</bdi>
          <span className="foreign">{String(record.msg ?? record.reason ?? '').slice(0, LONGEST)}</span>
        </>
      )}
    />
  );
}
