import { TextInput } from '@mantine/core';
import { dayComplaints } from './timeRanges.ts';

type DayFieldsProps = { from: string; to: string; onChange: (changes: { from?: string; to?: string }) => void };

/** The first and the last day of a range of days. */
export function DayFields({ from, to, onChange }: DayFieldsProps) {
  const complaints = dayComplaints({ from, to });
  return (
    <>
      <DayField label="First day (UTC)" value={from} error={complaints.from} onChange={(value) => onChange({ from: value })} />
      <DayField label="Last day (UTC)" value={to} error={complaints.to} onChange={(value) => onChange({ to: value })} />
    </>
  );
}

type DayFieldProps = { label: string; value: string; error: string | undefined; onChange: (value: string) => void };

function DayField({ label, value, error, onChange }: DayFieldProps) {
  return (
    <TextInput
      aria-label={label}
      title={label}
      type="date"
      size="xs"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
