import { Fragment } from 'react';

/** A URL that breaks after a dot or a slash, where it has to. */
export function Address({ url }: { url: string }) {
  return url.split(/(?<=[./])(?=[^./])/).map((part, at) => (
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
