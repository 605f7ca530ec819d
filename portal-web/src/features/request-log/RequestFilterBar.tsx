import { Switch } from '@mantine/core';
import { FilterChips } from '../../ui/lists/FilterChips.tsx';
import { exactWords, zoneName } from '../../ui/time/exactWords.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { useZone } from '../../ui/time/useZone.ts';
import { ZoneSwitch } from '../../ui/time/ZoneSwitch.tsx';
import { operationPaths } from '../usage/operationPaths.ts';
import { statusClassNames, statusClasses } from '../usage/statusClasses.ts';
import { isNarrowed, noFilters, type RequestFilters } from './requestFilters.ts';

type FilterBarProps = {
  filters: RequestFilters;
  onChange: (changes: Partial<RequestFilters>) => void;
  live: boolean;
  onLive: (live: boolean) => void;
};

const answers = [
  { value: '', label: 'all' },
  { value: 'problems', label: 'problems (4xx, 5xx)' },
  ...statusClassNames.map((value) => ({ value, label: `${statusClasses[value].word.toLowerCase()} (${statusClasses[value].range})` })),
];
const operations = [
  { value: '', label: 'all' },
  ...Object.entries(operationPaths).map(([value, label]) => ({ value, label })),
  { value: 'path', label: 'wrong method' },
  { value: 'nothing', label: 'no such path' },
];
const times = [
  { value: '', label: 'last 7 days' },
  { value: '1', label: 'last hour' },
  { value: '24', label: 'last 24 hours' },
];
const hour = 3_600_000;

/** Which requests the log shows, whether it is live, and in which zone its times are. */
export function RequestFilterBar({ filters, onChange, live, onLive }: FilterBarProps) {
  const { answer, operation, problem, serial, from, to } = filters;
  const status = /^\d+$/.test(answer) ? [{ value: answer, label: answer }] : [];
  const range = useRangeWords(from, to);
  const given = [
    ...(problem ? [{ label: 'Problem', words: problem, onRemove: () => onChange({ problem: '' }) }] : []),
    ...(serial ? [{ label: 'Certificate', words: `…${serial.slice(-8)}`, onRemove: () => onChange({ serial: '' }) }] : []),
    ...(range ? [{ label: 'Time', words: range, onRemove: () => onChange({ from: '', to: '' }) }] : []),
  ];
  const choices = [
    {
      label: 'Answer',
      value: answer,
      options: [...answers, ...status],
      onChange: (value: string) => onChange({ answer: value }),
    },
    { label: 'Operation', value: operation, options: operations, onChange: (value: string) => onChange({ operation: value }) },
    ...(range
      ? []
      : [
          {
            label: 'Time',
            value: '',
            options: times,
            // An instant and not a number of hours, so that a link shows the same requests tomorrow.
            onChange: (hours: string) => onChange({ from: hours && new Date(Date.now() - Number(hours) * hour).toISOString(), to: '' }),
          },
        ]),
  ];
  return (
    <FilterChips
      label="Filter the requests"
      choices={choices}
      given={given}
      onClear={isNarrowed(filters) ? () => onChange(noFilters) : null}
    >
      <Switch label="Live" checked={live} onChange={(event) => onLive(event.currentTarget.checked)} />
      <ZoneSwitch />
    </FilterChips>
  );
}

/** The range in the reader’s zone, as in "since 09:14:07.112 Europe/Oslo"; null without one. */
function useRangeWords(from: string, to: string): string | null {
  const [zone] = useZone();
  const now = useNow();
  const words = (at: string) => exactWords(new Date(at), now, zone);
  if (from === '' && to === '') return null;
  const range = [from && `${to === '' ? 'since ' : ''}${words(from)}`, to && `${from === '' ? 'until ' : ''}${words(to)}`];
  return `${range.filter((part) => part !== '').join(' to ')} ${zoneName(zone)}`;
}
