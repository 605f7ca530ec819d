import { TextInput, type TextInputProps } from '@mantine/core';
import { tooLong } from './tooLong.ts';

type ShortTextProps = Omit<TextInputProps, 'value' | 'maxLength'> & {
  value: string;
  /** How many characters it may have. */
  longest: number;
};

/** A field of one line and of limited length. It keeps all of what is pasted, as `LongText` does, and says when that is too long. */
export function ShortText({ longest, error, ...field }: ShortTextProps) {
  const { length } = [...field.value.trim()];
  return <TextInput {...field} error={length > longest ? tooLong(length, longest) : error} />;
}
