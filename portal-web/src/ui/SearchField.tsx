import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

type SearchFieldProps = {
  label: string;
  description?: string;
  placeholder?: string;
  error?: string | false | undefined;
  value: string;
  onChange: (value: string) => void;
};

const pause = 300;

/** A field to search with; it asks a moment after the last key. */
export function SearchField({ value, onChange, label, ...rest }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Another value from outside, such as by the browser's way back.
  if (known !== value) {
    setKnown(value);
    if (text.trim() !== value) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), pause);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      {...rest}
      label={label}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size="sm" aria-label={`Clear: ${label}`} onClick={() => setText('')} />}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      flex="1 1 18rem"
    />
  );
}
