# Makes schema_org.tsv from a table of schema.org's vocabulary with the columns kind (C, D, M, P),
# name, superclasses, domain, range, ...; a term with two kinds counts once. Run as
#
#   awk -F'\t' -f schema_org.awk schemaorg-30.0.tsv > schema_org.tsv
#
# The vocabulary: https://schema.org/docs/developers.html, CC BY-SA 3.0. Only the names of the terms
# and the coercions that follow from the ranges are kept.
NR > 1 && !seen[$2]++ {
  range = " " $5 " "
  coercion = ""
  if ($1 == "P" && range !~ / Text /) {
    if (range ~ / URL /) coercion = "@id"
    else if (range ~ / Date /) coercion = "Date"
  }
  print coercion == "" ? $2 : $2 "\t" coercion
}
