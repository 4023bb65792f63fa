"""The code parts of a text."""

from cypher.masking import mask, parameters_of


def test_strings_comments_and_quoted_names_are_blanked_in_place() -> None:
    text = "MATCH (n:`a $b`) // $c\nWHERE n.x = 'it\\'s $d' AND n.y = \"$e\" /* $f\n */ RETURN n"

    masked = mask(text)

    assert len(masked) == len(text)
    assert masked.split() == "MATCH (n: ) WHERE n.x = AND n.y = RETURN n".split()
    assert masked.count("\n") == 2


def test_a_comment_sign_inside_a_string_is_part_of_the_string() -> None:
    assert parameters_of("RETURN 'http://x' + $a, '/*', $b, '*/'") == {"a": 1, "b": 1}


def test_parameters_are_found_with_the_line_that_names_them_first() -> None:
    text = "MATCH (n {id: $id})\n// $comment\nWHERE n.x IN $list_of_2 AND n.id = $id\nRETURN n['$x']"

    assert parameters_of(text) == {"id": 1, "list_of_2": 3}


def test_dynamic_labels_are_not_parameters_but_their_values_are() -> None:
    assert parameters_of("MATCH (n:$any($labels):$all ($others):$($one)) RETURN n") == {
        "labels": 1,
        "others": 1,
        "one": 1,
    }
