// Ids: mono, shortened in the middle, copied by a click, linked to their page.
import { Copy } from './copy';
import { To } from './to';

const PLACES: Record<string, { to: string; name: string }> = {
  agents: { to: '/agents', name: 'id' },
  locks: { to: '/locks', name: 'id' },
  queues: { to: '/queues', name: 'id' },
  dead: { to: '/dead', name: 'id' },
  tasks: { to: '/tasks', name: 'id' },
  workflows: { to: '/workflows', name: 'id' },
  runs: { to: '/workflows', name: 'run' },
  messages: { to: '/messages', name: 'agent' },
  threads: { to: '/messages', name: 'thread' },
  jobs: { to: '/jobs', name: 'id' },
  services: { to: '/services', name: 'id' },
  streams: { to: '/events', name: 'stream' },
  logs: { to: '/events', name: 'service' },
  keys: { to: '/keys', name: 'id' },
};

/** Where a thing is looked at, if there is a page for it. */
export function place(noun: string, id: string): { to: string; search: Record<string, string> } | undefined {
  const found = PLACES[noun];
  return found && { to: found.to, search: { [found.name]: id } };
}

export function short(id: string, most = 28): string {
  if (id.length <= most) return id;
  const keep = Math.floor((most - 1) / 2);
  return `${id.slice(0, keep)}…${id.slice(-keep)}`;
}

interface Props {
  id: string;
  noun?: string;
  most?: number;
  copy?: boolean;
}

export function Id({ id, noun, most, copy = true }: Props) {
  const to = noun ? place(noun, id) : undefined;
  const text = (
    <bdi className="id-text" title={id}>
      {short(id, most)}
    </bdi>
  );
  return (
    <span className="id">
      {to ? (
        <To to={to.to} search={to.search}>
          {text}
        </To>
      ) : (
        text
      )}
      {copy && <Copy text={id} what={short(id)} />}
    </span>
  );
}
