import { Fragment } from "react";

/** After these a long name may go on in the next line. */
const SEAM = /(?<=[/\-.:_])(?=[^/\-.:_])/;

/**
 * A name without blanks (`provider/some-model:free`) that breaks where a reader would break it. Its box needs `break-words`, which
 * breaks anywhere only what has no seam; `break-all` would not care for the seams.
 */
export function BreakableName({ name }: { name: string }) {
  let end = 0;
  return name.split(SEAM).map((part) => {
    end += part.length;
    return (
      // Where a part ends is its own for good: the name is split anew with every change.
      <Fragment key={end}>
        {part}
        {end < name.length && <wbr />}
      </Fragment>
    );
  });
}
