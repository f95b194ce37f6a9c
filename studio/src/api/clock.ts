// What time it is on the server. The browser's clock may be wrong by hours, so ages are never counted from it alone.
let offset = 0;
let answered = 0;

/** Learns from the date of an answer, which has whole seconds. What failed says what time it is, and nothing about the plane. */
export function noteDate(header: string | null, good: boolean): void {
  const said = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(said)) return;
  const differs = said + 500 - Date.now();
  if (Math.abs(differs - offset) > 1_500) offset = differs;
  if (good) answered = serverNow();
}

/** When the server last answered anything that was asked of the plane. */
export const answeredAt = () => answered;

/** A time of the browser's clock as the server's would have said it. */
export const byServer = (browser: number) => (browser > 0 ? browser + offset : 0);

/** Milliseconds since 1970, as the server counts them. */
export function serverNow(): number {
  return Date.now() + offset;
}
