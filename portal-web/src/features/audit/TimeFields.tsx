import { NativeSelect, TextInput } from '@mantine/core';
import { timeRanges } from './timeRanges.ts';

type TimeFieldsProps = {
  time: string;
  from: string;
  to: string;
  onChange: (changes: { time?: string; from?: string; to?: string }) => void;
};

/** The time of the entries: a named range, or from one day to another. */
export function TimeFields({ time, from, to, onChange }: TimeFieldsProps) {
  return (
    <>
      <NativeSelect
        label="Time"
        value={time}
        onChange={(event) => onChange({ time: event.currentTarget.value, from: '', to: '' })}
        data={[...timeRanges]}
        flex="1 1 11rem"
      />
      {time === 'days' && (
        <>
          <TextInput
            label="First day (UTC)"
            type="date"
            value={from}
            onChange={(event) => onChange({ from: event.currentTarget.value })}
            flex="1 1 10rem"
          />
          <TextInput
            label="Last day (UTC)"
            type="date"
            value={to}
            onChange={(event) => onChange({ to: event.currentTarget.value })}
            flex="1 1 10rem"
          />
        </>
      )}
    </>
  );
}
