// How far an action is: a count where there is one, and how long it has taken where that is long.
import { useEffect, useState } from 'react';

export interface Progress {
  done: number;
  of: number;
}

export function Working({ progress }: { progress: Progress | undefined }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  if (progress) {
    return (
      <>
        <progress className="progress" max={progress.of} value={progress.done} aria-label="How far it is" />
        {progress.done.toLocaleString('en')} of {progress.of.toLocaleString('en')}
      </>
    );
  }
  return <>Working…{seconds > 1 && ` ${seconds} s`}</>;
}
