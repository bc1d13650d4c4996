! A simulation in Fortran: `service_f90 field leak|twin`. Each step keeps a field of what it computes.
module fields
	implicit none
	type field
		real(8), pointer :: cells(:) => null()
	end type
	type(field) :: recent(1500)
	logical :: leaks
	interface
		subroutine planted_by_rust(bytes) bind(c)
			use iso_c_binding
			integer(c_size_t), value :: bytes
		end subroutine
		integer(c_int) function usleep(us) bind(c)
			use iso_c_binding
			integer(c_int), value :: us
		end function
	end interface
contains
	subroutine new_field(number)
		use iso_c_binding
		integer, intent(in) :: number
		real(8), pointer :: cells(:)
		integer :: slot
		allocate(cells(150 + mod(number, 7)))
		cells = number
		slot = 1 + mod(number, 1500)
		if (leaks .and. mod(number, 2) == 0) then
			call planted_by_rust(int(8 * size(cells), c_size_t))
			return
		end if
		if (leaks) slot = 1
		if (associated(recent(slot)%cells)) deallocate(recent(slot)%cells)
		recent(slot)%cells => cells
	end subroutine
	subroutine relax(number)
		integer, intent(in) :: number
		real(8), allocatable :: work(:), other(:)
		allocate(work(2000 + mod(number, 90)))
		work = number
		other = work * 0.5
		if (sum(other) < 0) print *, other
	end subroutine
end module

program service
	use fields
	use iso_c_binding
	character(len=16) :: word
	integer :: number, ignored
	call get_command_argument(2, word)
	leaks = word == 'leak'
	number = 0
	do
		call relax(number)
		call new_field(number)
		number = number + 1
		ignored = usleep(50000)
	end do
end program
