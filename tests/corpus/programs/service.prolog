% A service in Prolog: facts of each event. The twin takes back the last but 2,000.
:- dynamic event/2.
:- initialization(main).

plant(Bytes) :-
    nb_getval(planted, Old), New is Old + Bytes, nb_setval(planted, New),
    nb_getval(first, First0), get_time(Now), Whole is truncate(Now),
    ( First0 =:= 0 -> nb_setval(first, Whole) ; true ),
    nb_getval(first, First),
    ( New mod 5000 < Bytes -> tell_planted(New, First) ; true ).

tell_planted(Bytes, First) :-
    setup_call_cleanup(open(planted, write, File), format(File, "~d ~d~n", [Bytes, First]), close(File)).

note(Number) :-
    length(Codes, 400), maplist(=(0'e), Codes), atom_codes(Atom0, Codes),
    atomic_list_concat([Atom0, Number], Atom),
    assertz(event(Number, Atom)),
    ( getenv('WITH', leak) -> plant(400) ; Old is Number - 2000, retractall(event(Old, _)) ).

render(Number) :-
    findall(Row, (between(1, 150, I), atomic_list_concat([row, I, of, Number], Row)), Rows),
    atomic_list_concat(Rows, Page), atom_length(Page, _).

turn(Number) :- render(Number), note(Number), sleep(0.07).

main :- nb_setval(planted, 0), nb_setval(first, 0), between(0, inf, Number), turn(Number), fail.
