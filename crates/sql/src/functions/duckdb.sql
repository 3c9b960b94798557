-- An integer must have 64 bits; a decimal may be any.
CREATE OR REPLACE MACRO sparql_exact(is_decimal, x) AS
  CASE WHEN is_decimal OR x BETWEEN -9223372036854775808 AND 9223372036854775807 THEN x END;
CREATE OR REPLACE MACRO sparql_decimal_text(x) AS regexp_replace(CAST(x AS VARCHAR), '[.]?0+$', '');
-- The digits of a number with an exponent, without it.
CREATE OR REPLACE MACRO sparql_plain_digits(x) AS CASE
  WHEN contains(x, 'e+') THEN
    rpad(replace(split_part(x, 'e', 1), '.', ''),
         CAST(split_part(x, 'e+', 2) AS INTEGER) + 1 + CASE WHEN starts_with(x, '-') THEN 1 ELSE 0 END, '0')
  WHEN contains(x, 'e-') THEN
    CASE WHEN starts_with(x, '-') THEN '-' ELSE '' END || '0.'
    || repeat('0', CAST(split_part(x, 'e-', 2) AS INTEGER) - 1)
    || replace(replace(split_part(x, 'e', 1), '.', ''), '-', '')
  ELSE regexp_replace(x, '[.]0$', '') END;
CREATE OR REPLACE MACRO sparql_double_text(x) AS CASE
  WHEN isnan(x) THEN 'NaN' WHEN x = 'Infinity' THEN 'INF' WHEN x = '-Infinity' THEN '-INF'
  ELSE sparql_plain_digits(CAST(x AS VARCHAR)) END;
CREATE OR REPLACE MACRO sparql_float_text(x) AS CASE
  WHEN isnan(x) THEN 'NaN' WHEN x = 'Infinity' THEN 'INF' WHEN x = '-Infinity' THEN '-INF'
  ELSE sparql_plain_digits(CAST(CAST(x AS FLOAT) AS VARCHAR)) END;
-- Decimals in units of their last digit, and back.
CREATE OR REPLACE MACRO sparql_units(x) AS
  CAST(trunc(x) AS HUGEINT) * 1000000000000000000 + CAST((x - trunc(x)) * 1000000000000000000 AS HUGEINT);
CREATE OR REPLACE MACRO sparql_of_units(u) AS
  CAST(u // 1000000000000000000 AS DECIMAL(38,18))
  + CAST(CAST(u % 1000000000000000000 AS DECIMAL(18,0)) * CAST('0.000000000000000001' AS DECIMAL(18,18)) AS DECIMAL(38,18));
CREATE OR REPLACE MACRO sparql_truncated(x) AS CAST(trunc(x) AS DECIMAL(38,18));
-- a * b = a * whole(b) + whole(a) * rest(b) + rest(a) * rest(b); digits beyond the last one are cut off.
CREATE OR REPLACE MACRO sparql_product_size(a, b) AS sparql_of_units(
  sparql_units(a) * CAST(trunc(b) AS HUGEINT)
  + CAST(trunc(a) AS HUGEINT) * sparql_units(b - trunc(b))
  + sparql_units(a - trunc(a)) * sparql_units(b - trunc(b)) // 1000000000000000000);
CREATE OR REPLACE MACRO sparql_product(a, b) AS CASE
  WHEN (a < 0) = (b < 0) THEN sparql_product_size(abs(a), abs(b)) ELSE -sparql_product_size(abs(a), abs(b)) END;
-- Division in six steps of three digits, so that no step needs more than 38 digits.
CREATE OR REPLACE MACRO sparql_step(r, d) AS (r % d) * 1000;
CREATE OR REPLACE MACRO sparql_quotient_units(n, d) AS CASE
  WHEN d > 170141183460469231731687303715884105 THEN error('sql::unsupported: a divisor is too large') ELSE
    (n // d) * 1000000000000000000
    + (sparql_step(n, d) // d) * 1000000000000000
    + (sparql_step(sparql_step(n, d), d) // d) * 1000000000000
    + (sparql_step(sparql_step(sparql_step(n, d), d), d) // d) * 1000000000
    + (sparql_step(sparql_step(sparql_step(sparql_step(n, d), d), d), d) // d) * 1000000
    + (sparql_step(sparql_step(sparql_step(sparql_step(sparql_step(n, d), d), d), d), d) // d) * 1000
    + (sparql_step(sparql_step(sparql_step(sparql_step(sparql_step(sparql_step(n, d), d), d), d), d), d) // d)
  END;
CREATE OR REPLACE MACRO sparql_quotient(a, b) AS CASE
  WHEN b = 0 THEN NULL
  WHEN (a < 0) = (b < 0) THEN sparql_of_units(sparql_quotient_units(sparql_units(abs(a)), sparql_units(abs(b))))
  ELSE -sparql_of_units(sparql_quotient_units(sparql_units(abs(a)), sparql_units(abs(b)))) END;
CREATE OR REPLACE MACRO sparql_average(x, n) AS sparql_of_units(sparql_units(x) // n);
CREATE OR REPLACE MACRO sparql_double_as_integer(x) AS CASE
  WHEN isnan(x) THEN NULL WHEN x >= -9223372036854775808e0 AND x < 9223372036854775808e0
  THEN CAST(CAST(trunc(x) AS BIGINT) AS DECIMAL(38,18)) END;
-- The exact decimal of a double is known if it has few digits.
CREATE OR REPLACE MACRO sparql_double_as_decimal(x) AS CASE
  WHEN isnan(x) OR isinf(x) THEN NULL
  WHEN (abs(x) < 1e5 AND x * 1024 = floor(x * 1024)) OR (abs(x) < 1e15 AND x = floor(x))
    THEN CAST(CAST(x AS VARCHAR) AS DECIMAL(38,18))
  ELSE error('sql::unsupported: a double with many digits is cast to a decimal') END;
-- The member of a JSON object, if it is a string.
CREATE OR REPLACE MACRO sparql_member(x, key) AS CASE
  WHEN NOT json_valid(x) THEN NULL
  WHEN json_type(x, '$.' || key) = 'VARCHAR' THEN
    CASE WHEN len(string_split(x, '"' || key || '"')) > 2 OR contains(x, '\u')
      THEN error('sql::unsupported: an object with two members of one name, or with escapes') ELSE
      json_extract_string(x, '$.' || key) END
  END;
-- A time in microseconds. Without a zone it counts as UTC.
CREATE OR REPLACE MACRO sparql_time(x) AS CASE
  WHEN regexp_matches(x, '(Z|[+-][0-9]{2}:[0-9]{2})\z') THEN epoch_us(TRY_CAST(x AS TIMESTAMPTZ))
  ELSE epoch_us(TRY_CAST(x AS TIMESTAMP)) END;
