SET spark.sql.decimalOperations.allowPrecisionLoss = false;
SET spark.sql.ansi.enabled = true;
SET spark.sql.session.timeZone = UTC;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_exact(is_decimal BOOLEAN, x DECIMAL(38,18)) RETURNS DECIMAL(38,18) RETURN
  CASE WHEN is_decimal OR x BETWEEN -9223372036854775808 AND 9223372036854775807 THEN x END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_decimal_text(x DECIMAL(38,18)) RETURNS STRING RETURN
  regexp_replace(CAST(x AS STRING), '[.]?0+$', '');
CREATE OR REPLACE TEMPORARY FUNCTION sparql_plain_digits(x STRING) RETURNS STRING RETURN CASE
  WHEN contains(x, 'E-') THEN
    CASE WHEN startswith(x, '-') THEN '-' ELSE '' END || '0.'
    || repeat('0', CAST(split_part(x, 'E-', 2) AS INT) - 1)
    || regexp_replace(replace(replace(split_part(x, 'E', 1), '.', ''), '-', ''), '0+$', '')
  WHEN contains(x, 'E') AND CAST(split_part(x, 'E', 2) AS INT) + 1 >=
      char_length(regexp_replace(replace(replace(split_part(x, 'E', 1), '.', ''), '-', ''), '0+$', '')) THEN
    CASE WHEN startswith(x, '-') THEN '-' ELSE '' END
    || rpad(regexp_replace(replace(replace(split_part(x, 'E', 1), '.', ''), '-', ''), '0+$', ''),
         CAST(split_part(x, 'E', 2) AS INT) + 1, '0')
  WHEN contains(x, 'E') THEN
    CASE WHEN startswith(x, '-') THEN '-' ELSE '' END
    || substring(replace(replace(split_part(x, 'E', 1), '.', ''), '-', ''), 1, CAST(split_part(x, 'E', 2) AS INT) + 1)
    || '.' || substring(replace(replace(split_part(x, 'E', 1), '.', ''), '-', ''), CAST(split_part(x, 'E', 2) AS INT) + 2)
  ELSE regexp_replace(x, '[.]0$', '') END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_double_text(x DOUBLE) RETURNS STRING RETURN CASE
  WHEN isnan(x) THEN 'NaN' WHEN x = DOUBLE('Infinity') THEN 'INF' WHEN x = DOUBLE('-Infinity') THEN '-INF'
  ELSE sparql_plain_digits(CAST(x AS STRING)) END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_float_text(x DOUBLE) RETURNS STRING RETURN CASE
  WHEN isnan(x) THEN 'NaN' WHEN x = DOUBLE('Infinity') THEN 'INF' WHEN x = DOUBLE('-Infinity') THEN '-INF'
  ELSE sparql_plain_digits(CAST(CAST(x AS FLOAT) AS STRING)) END;
-- Positive decimals in units of their last digit, and back.
CREATE OR REPLACE TEMPORARY FUNCTION sparql_units(x DECIMAL(38,18)) RETURNS DECIMAL(38,0) RETURN
  CAST(CAST(floor(x) AS DECIMAL(20,0)) * 1000000000000000000BD AS DECIMAL(38,0))
  + CAST(CAST(x - floor(x) AS DECIMAL(18,18)) * 1000000000000000000BD AS DECIMAL(18,0));
CREATE OR REPLACE TEMPORARY FUNCTION sparql_of_units(u DECIMAL(38,0)) RETURNS DECIMAL(38,18) RETURN
  CAST(u * 0.000000000000000001BD AS DECIMAL(38,18));
CREATE OR REPLACE TEMPORARY FUNCTION sparql_truncated(x DECIMAL(38,18)) RETURNS DECIMAL(38,18) RETURN
  CASE WHEN x < 0 THEN -CAST(floor(-x) AS DECIMAL(38,18)) ELSE CAST(floor(x) AS DECIMAL(38,18)) END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_product_size(a DECIMAL(38,18), b DECIMAL(38,18)) RETURNS DECIMAL(38,18) RETURN
  CAST(a * CAST(floor(b) AS DECIMAL(20,0)) AS DECIMAL(38,18))
  + CAST(CAST(floor(a) AS DECIMAL(20,0)) * CAST(b - floor(b) AS DECIMAL(18,18)) AS DECIMAL(38,18))
  + CAST(CAST(a - floor(a) AS DECIMAL(18,18)) * CAST(b - floor(b) AS DECIMAL(18,18))
      - CAST(a - floor(a) AS DECIMAL(18,18)) * CAST(b - floor(b) AS DECIMAL(18,18)) % 0.000000000000000001BD AS DECIMAL(38,18));
CREATE OR REPLACE TEMPORARY FUNCTION sparql_product(a DECIMAL(38,18), b DECIMAL(38,18)) RETURNS DECIMAL(38,18) RETURN CASE
  WHEN (a < 0) = (b < 0) THEN sparql_product_size(abs(a), abs(b)) ELSE -sparql_product_size(abs(a), abs(b)) END;
-- Division in six steps of three digits, so that no step needs more than 38 digits.
CREATE OR REPLACE TEMPORARY FUNCTION sparql_step(r DECIMAL(38,0), d DECIMAL(38,0)) RETURNS DECIMAL(38,0) RETURN
  CAST((r % d) * 1000BD AS DECIMAL(38,0));
CREATE OR REPLACE TEMPORARY FUNCTION sparql_quotient_units(n DECIMAL(38,0), d DECIMAL(38,0)) RETURNS DECIMAL(38,0) RETURN CASE
  WHEN d > 99999999999999999999999999999999999BD THEN raise_error('sql::unsupported: a divisor is too large') ELSE
    CAST(CAST((n div d) AS DECIMAL(20,0)) * 1000000000000000000BD AS DECIMAL(38,0))
    + CAST(sparql_step(n, d) div d AS DECIMAL(38,0)) * 1000000000000000BD
    + CAST(sparql_step(sparql_step(n, d), d) div d AS DECIMAL(20,0)) * 1000000000000BD
    + CAST(sparql_step(sparql_step(sparql_step(n, d), d), d) div d AS DECIMAL(20,0)) * 1000000000BD
    + CAST(sparql_step(sparql_step(sparql_step(sparql_step(n, d), d), d), d) div d AS DECIMAL(20,0)) * 1000000BD
    + CAST(sparql_step(sparql_step(sparql_step(sparql_step(sparql_step(n, d), d), d), d), d) div d AS DECIMAL(20,0)) * 1000BD
    + CAST(sparql_step(sparql_step(sparql_step(sparql_step(sparql_step(sparql_step(n, d), d), d), d), d), d) div d AS DECIMAL(20,0))
  END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_quotient(a DECIMAL(38,18), b DECIMAL(38,18)) RETURNS DECIMAL(38,18) RETURN CASE
  WHEN b = 0 THEN NULL
  WHEN (a < 0) = (b < 0) THEN sparql_of_units(sparql_quotient_units(sparql_units(abs(a)), sparql_units(abs(b))))
  ELSE -sparql_of_units(sparql_quotient_units(sparql_units(abs(a)), sparql_units(abs(b)))) END;
-- Doubles stay doubles: of any size, NaN, and zero with its sign.
CREATE OR REPLACE TEMPORARY FUNCTION sparql_floor(x DOUBLE) RETURNS DOUBLE RETURN
  CASE WHEN rint(x) > x THEN rint(x) - 1 ELSE rint(x) END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_ceil(x DOUBLE) RETURNS DOUBLE RETURN -sparql_floor(-x);
CREATE OR REPLACE TEMPORARY FUNCTION sparql_average(x DECIMAL(38,18), n BIGINT) RETURNS DECIMAL(38,18) RETURN
  sparql_quotient(x, CAST(n AS DECIMAL(38,18)));
CREATE OR REPLACE TEMPORARY FUNCTION sparql_double_as_integer(x DOUBLE) RETURNS DECIMAL(38,18) RETURN CASE
  WHEN isnan(x) THEN NULL WHEN x >= -9223372036854775808D AND x < 9223372036854775808D
  THEN CAST(CAST(x AS BIGINT) AS DECIMAL(38,18)) END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_double_as_decimal(x DOUBLE) RETURNS DECIMAL(38,18) RETURN CASE
  WHEN isnan(x) OR abs(x) = DOUBLE('Infinity') THEN NULL
  WHEN (abs(x) < 1e5 AND x * 1024 = floor(x * 1024)) OR (abs(x) < 1e15 AND x = floor(x))
    THEN CAST(CAST(x AS STRING) AS DECIMAL(38,18))
  ELSE raise_error('sql::unsupported: a double with many digits is cast to a decimal') END;
CREATE OR REPLACE TEMPORARY FUNCTION sparql_time(x STRING) RETURNS BIGINT RETURN unix_micros(try_cast(x AS TIMESTAMP));
