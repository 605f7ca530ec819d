import { SegmentedControl } from '@mantine/core';

type Environment = 'sandbox' | 'production';
type EnvironmentSwitchProps = {
  clients: readonly { readonly environment: string }[];
  value: string;
  onChange: (environment: Environment) => void;
  className?: string | undefined;
};

/** Chooses between the clients of an integration. Shows nothing if there is only one. */
export function EnvironmentSwitch({ clients, value, onChange, className }: EnvironmentSwitchProps) {
  if (clients.length < 2) return null;
  return (
    <SegmentedControl
      aria-label="Environment"
      className={className}
      size="xs"
      w="fit-content"
      data={[
        { value: 'sandbox', label: 'Sandbox' },
        { value: 'production', label: 'Production' },
      ]}
      value={value}
      onChange={(chosen) => onChange(chosen === 'production' ? 'production' : 'sandbox')}
    />
  );
}
