import { formatCountry } from '../figures.ts';
import { locale } from '../language.ts';
import { project } from '../project.ts';

/** The options of a select field for a country: all countries by their names, whose values are their codes. */
export function CountryOptions() {
  return (
    <>
      {project.value.countries
        .map((code) => ({ code, name: formatCountry(code) }))
        .sort((a, b) => a.name.localeCompare(b.name, locale))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
    </>
  );
}
