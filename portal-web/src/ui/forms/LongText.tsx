import { Textarea, type TextareaProps } from '@mantine/core';
import { tooLong } from './tooLong.ts';

type LongTextProps = Omit<TextareaProps, 'value' | 'maxLength'> & {
  value: string;
  /** How many characters it may have. */
  longest: number;
};

/**
 * A field for a text of limited length. A browser would cut what is pasted without a word; this keeps all of it, counts from half of the length
 * on if there is anything else to read, and says when it is too long.
 */
export function LongText({ longest, description, error, ...field }: LongTextProps) {
  const { length } = [...field.value.trim()];
  // Where it stands alone it keeps its place.
  const count = (!description || length * 2 > longest) && `${length.toLocaleString('en')} of ${longest.toLocaleString('en')} characters.`;
  return (
    <Textarea
      autosize
      {...field}
      description={
        <>
          {description} {count}
        </>
      }
      error={length > longest ? tooLong(length, longest) : error}
    />
  );
}
