import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useIsLeaving } from './pendingNavigation.ts';
import classes from './SearchField.module.css';

type SearchFieldProps = {
  label: string;
  /** Whether it is one of a row of filters: small, and beside its label. */
  inRow?: boolean;
  description?: string;
  placeholder?: string;
  error?: string | false | undefined;
  styles?: TextInputProps['styles'];
  value: string;
  onChange: (value: string) => void;
  /** Called with the text after each key, for whatever needs it before the search starts. */
  onText?: (text: string) => void;
};

const pause = 300;

/** A search field. The search starts a moment after the last key. */
export function SearchField({ value, onChange, onText, label, inRow = false, ...rest }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The value has changed from outside, for example because the reader went back.
  if (known !== value) {
    setKnown(value);
    if (text.trim() !== value) setText(value);
  }
  useEffect(() => onText?.(text.trim()), [onText, text]);
  const isLeaving = useIsLeaving();
  useEffect(() => {
    if (isLeaving() || text.trim() === value) return;
    const timer = setTimeout(() => {
      if (!isLeaving()) onChange(text.trim());
    }, pause);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      {...rest}
      label={label}
      {...(inRow && { size: 'xs', className: classes.inRow })}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size="sm" aria-label={`Clear: ${label}`} onClick={() => setText('')} />}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      {...(!inRow && { w: '100%', maw: 640 })}
    />
  );
}
