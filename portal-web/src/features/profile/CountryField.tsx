import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { countries } from '../integration/countries.ts';

const choices = [{ value: '', label: 'Choose a country' }, ...countries];

/** Where the operator is established. The browser’s own list finds a country by the first letters that are typed. */
export function CountryField(props: Omit<NativeSelectProps, 'data'>) {
  return <NativeSelect {...props} required data={choices} />;
}
