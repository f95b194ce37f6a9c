// The environment of services that somebody looks at: in the bar, and where the bar has no room for it, among what a person can switch.
import { useEnvironments, useScope } from './scope';

export function EnvironmentChoice({ wide }: { wide?: boolean }) {
  const names = useEnvironments();
  const [scope, choose] = useScope();
  if (names.length === 0 && !scope) return null;
  return (
    <label className={wide ? 'wide' : 'row'}>
      <span className={wide ? 'unseen' : undefined}>Environment of services</span>
      <select className="field scope-choice" value={scope ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">All environments</option>
        {[...new Set([...names, ...(scope ? [scope] : [])])].map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
    </label>
  );
}
