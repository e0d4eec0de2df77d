"""Todas las funciones imprimen y lanzan texto que ningún fichero admite, o que da la vuelta a lo que hay al lado."""

import sys


def _hace(*args):
    sucio = "\ud800\udfff\u202e\u2066\0\x1b[2J</script>]]>=cmd|'/c calc'!A1"
    print(sucio.encode("utf-8", "surrogatepass"), file=sys.stderr)
    sys.stdout.buffer.write(sucio.encode("utf-8", "surrogatepass"))
    raise type(sucio[2:5], (Exception,), {})(sucio * 20)
