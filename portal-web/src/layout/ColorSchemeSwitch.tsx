import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const schemes = {
  auto: { next: 'light', label: 'Colours: system. Switch to light', Icon: IconDeviceDesktop },
  light: { next: 'dark', label: 'Colours: light. Switch to dark', Icon: IconSun },
  dark: { next: 'auto', label: 'Colours: dark. Switch to system', Icon: IconMoon },
} as const satisfies Record<MantineColorScheme, unknown>;

/** Switches between light, dark and the system's colours. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { next, label, Icon } = schemes[colorScheme];
  return (
    <ActionIcon variant="default" size={30} aria-label={label} title={label} onClick={() => setColorScheme(next)}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
