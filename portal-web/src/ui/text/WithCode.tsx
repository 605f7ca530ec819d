/** Code stands on one line, unless it is longer than a line: browsers would break it at each of its hyphens. */
const whole = { display: 'inline-block', maxWidth: '100%' } as const;

/** A text of the service, in which code stands between backquotes. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // The parts of a text never change their places.
      // oxlint-disable-next-line react/no-array-index-key
      <code key={at} style={whole}>
        {part}
      </code>
    ) : (
      part
    ),
  );
}
