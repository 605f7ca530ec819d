import { TextInput } from '@mantine/core';

type DayFieldsProps = { from: string; to: string; onChange: (changes: { from?: string; to?: string }) => void };

/** The first and the last day of a range of days. */
export function DayFields({ from, to, onChange }: DayFieldsProps) {
  return (
    <>
      <DayField label="First day (UTC)" value={from} onChange={(value) => onChange({ from: value })} />
      <DayField label="Last day (UTC)" value={to} onChange={(value) => onChange({ to: value })} />
    </>
  );
}

function DayField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      aria-label={label}
      title={label}
      type="date"
      size="xs"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
